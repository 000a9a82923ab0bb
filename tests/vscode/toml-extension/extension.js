/** The providers that an extension for TOML registers: they answer nothing for a file without a schema. */
const vscode = require("vscode");

exports.activate = ({ subscriptions }) => {
  const toml = { language: "toml" };
  const signs = [".", "=", "[", "{", ",", '"'];
  const completions = { provideCompletionItems: () => [] };
  const symbols = { provideDocumentSymbols: () => [] };
  subscriptions.push(
    vscode.languages.registerCompletionItemProvider(toml, completions, ...signs),
    vscode.languages.registerHoverProvider(toml, { provideHover: () => undefined }),
    vscode.languages.registerDocumentSymbolProvider(toml, symbols),
  );
};

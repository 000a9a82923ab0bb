/** The interface that the Python extension gives to others, as far as it is about the choice. */
const { readFileSync, watchFile } = require("node:fs");
const vscode = require("vscode");

exports.activate = () => {
  const file = process.env.PYTHON_CHOICE;
  const changed = new vscode.EventEmitter();
  const choice = () => ({ id: "chosen", path: readFileSync(file, "utf8").trim() });
  watchFile(file, { interval: 200 }, () => changed.fire(choice()));
  return {
    environments: {
      onDidChangeActiveEnvironmentPath: changed.event,
      getActiveEnvironmentPath: choice,
      resolveEnvironment: async ({ path }) => ({ executable: { uri: vscode.Uri.file(path) } }),
    },
  };
};

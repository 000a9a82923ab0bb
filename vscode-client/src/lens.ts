/**
 * The links above templates and personas, which the server finds.
 *
 * Its commands open files from its cache, in any editor. Here they open what VS Code can show
 * better: rendered previews that follow the text.
 */
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

const PREVIEW = "agentTemplates.previewSpawn";
const LIST = "agentTemplates.listAgents";
const OPEN = "agentTemplates.openFile";

/** The server's object for one of its commands. */
type Argument = Readonly<Record<string, unknown>>;

/** Lets the extension's own commands take over what the server's lenses run. */
export function lenses(): Middleware {
  return {
    async provideCodeLenses(document, token, next) {
      const found = await next(document, token);
      return found?.map(({ range, command }) => {
        return new vscode.CodeLens(range, command && taken(command, document.uri));
      });
    },
  };
}

function taken(command: vscode.Command, uri: vscode.Uri): vscode.Command {
  const [argument] = (command.arguments ?? []) as (Argument | undefined)[];
  const { title } = command;
  switch (command.command) {
    case PREVIEW:
      return { title, command: "agentTemplates.openPreview", arguments: [uri, called(argument)] };
    case LIST:
      return { title, command: "agentTemplates.openList", arguments: [uri] };
    case OPEN:
      return {
        title,
        command: "vscode.open",
        arguments: [vscode.Uri.parse(String(argument?.uri))],
      };
    default:
      return command;
  }
}

/** The arguments of the runtime's own call, without those that are for the server. */
function called(argument: Argument = {}): Record<string, string> {
  const own = ["dialect", "uri", "format", "show"];
  return Object.fromEntries(
    Object.entries(argument).flatMap(([name, value]) =>
      typeof value === "string" && !own.includes(name) ? [[name, value]] : [],
    ),
  );
}

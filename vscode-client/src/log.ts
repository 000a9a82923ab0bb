/** The output channel, and the same channel as the language client wants it for its trace. */
import * as vscode from "vscode";

const TRACE = "agentTemplates.trace.server";

/** The channel that everything is written to. */
export function createLog(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel("Agent Templates", { log: true });
}

/**
 * `log` as a channel for traces, switched by the setting alone.
 *
 * The language client traces only while its channel is on the level "trace", which a person would
 * have to choose a second time in another place.
 */
export function traceChannel(log: vscode.LogOutputChannel): vscode.LogOutputChannel {
  const level = () => {
    const wanted = vscode.workspace.getConfiguration().get<string>(TRACE, "off");
    return wanted === "off" ? vscode.LogLevel.Off : vscode.LogLevel.Trace;
  };
  const onDidChangeLogLevel: vscode.Event<vscode.LogLevel> = (listener, self, disposables) =>
    vscode.workspace.onDidChangeConfiguration(
      (event) => {
        if (event.affectsConfiguration(TRACE)) {
          listener.call(self, level());
        }
      },
      undefined,
      disposables,
    );
  return new Proxy(log, {
    get(channel, property) {
      switch (property) {
        case "logLevel":
          return level();
        case "onDidChangeLogLevel":
          return onDidChangeLogLevel;
        case "trace":
          return (line: string) => channel.appendLine(line);
        default: {
          const value: unknown = Reflect.get(channel, property);
          return typeof value === "function" ? value.bind(channel) : value;
        }
      }
    },
  });
}

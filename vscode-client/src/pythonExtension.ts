/**
 * Asks the Python extension which interpreter a person has chosen there.
 *
 * Only the members of its interface that are used here are described. Everything is optional:
 * without that extension, or if it has no answer, there is no choice.
 */
import * as vscode from "vscode";

interface Environments {
  getActiveEnvironmentPath(resource?: vscode.Uri): unknown;
  resolveEnvironment(
    environment: unknown,
  ): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
  readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
}

const ID = "ms-python.python";

/** The choice in the Python extension, which is not loaded before it is asked for. */
export class PythonExtension implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private environments: Promise<Environments | undefined> | undefined;
  private listener: vscode.Disposable | undefined;
  private last: string | undefined;

  /** Fires when another interpreter is chosen than the last that was asked for. */
  readonly onDidChange = this.changed.event;

  /** The interpreter chosen for the first workspace folder, or nothing. */
  async interpreter(): Promise<string | undefined> {
    this.environments ??= this.activated();
    const environments = await this.environments;
    this.last = environments && (await chosen(environments));
    return this.last;
  }

  dispose(): void {
    this.listener?.dispose();
    this.changed.dispose();
  }

  private async activated(): Promise<Environments | undefined> {
    const extension = vscode.extensions.getExtension<{ environments?: Environments }>(ID);
    try {
      const environments = (await extension?.activate())?.environments;
      this.listener = environments?.onDidChangeActiveEnvironmentPath(async () => {
        if ((await chosen(environments)) !== this.last) {
          this.changed.fire();
        }
      });
      return environments;
    } catch {
      // That extension tells its user itself what is wrong with it.
      return undefined;
    }
  }
}

async function chosen(environments: Environments): Promise<string | undefined> {
  const path = environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
  return (await environments.resolveEnvironment(path))?.executable.uri?.fsPath;
}

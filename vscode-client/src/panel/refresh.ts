/** Repeats a piece of work when its result may be out of date. */

/** As long as a keystroke may take to be noticed. */
const PAUSE = 100;

/**
 * Runs `work` soon after each `soon()`: one run at a time, and one more for all that was asked for
 * in the meantime, so that a person who types without a pause still sees what becomes of it.
 */
export class Refresh {
  private timer: NodeJS.Timeout | undefined;
  private running = false;
  private again = false;
  private disposed = false;

  constructor(private readonly work: () => Promise<void>) {}

  soon(): void {
    if (this.running) {
      this.again = true;
    } else if (!this.disposed) {
      this.timer ??= setTimeout(() => void this.run(), PAUSE);
    }
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    this.timer = undefined;
    this.running = true;
    try {
      await this.work();
    } finally {
      this.running = false;
      if (this.again) {
        this.again = false;
        this.soon();
      }
    }
  }
}

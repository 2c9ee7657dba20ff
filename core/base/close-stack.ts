import type { Logger } from './logger';

/** Closes resources in reverse order of opening; a failing step does not skip the others. */
export class CloseStack {
	private readonly steps: Array<{ name: string; close: () => Promise<void> | void }> = [];

	private closing: Promise<void> | undefined;

	constructor(private readonly logger: Logger) {}

	add(name: string, close: () => Promise<void> | void): void {
		this.steps.push({ name, close });
	}

	/** Closes all resources; further callers wait for the same closing. */
	close(): Promise<void> {
		this.closing ??= this.closeAll();
		return this.closing;
	}

	private async closeAll(): Promise<void> {
		for (const step of this.steps.splice(0).reverse()) {
			try {
				await step.close();
			} catch (error) {
				this.logger.warn('closing failed', { step: step.name, reason: String(error) });
			}
		}
	}
}

import type { Page } from 'playwright-core';

/** What a story takes a person who builds it. */
export interface Effort {
	readonly clicks: number;
	readonly fields: number;
	readonly seconds: number;
}

/** Runs in every page: reports each press of a button of the mouse. */
const reportClicks = `addEventListener('pointerdown', () => countedClick(), true)`;

/** Counts clicks, filled fields and seconds while work is measured. */
export class EffortCounter {
	private clicks = 0;
	private fields = 0;
	private ms = 0;
	private isMeasuring = false;

	/** Counts the clicks in a page. */
	async watch(page: Page): Promise<void> {
		await page.exposeFunction('countedClick', () => {
			if (this.isMeasuring) this.clicks += 1;
		});
		await page.addInitScript(reportClicks);
	}

	/** A field was filled in, or a value was chosen. */
	addField(): void {
		if (this.isMeasuring) this.fields += 1;
	}

	async measure(work: () => Promise<void>): Promise<void> {
		const started = performance.now();
		this.isMeasuring = true;
		try {
			await work();
		} finally {
			this.isMeasuring = false;
			this.ms += performance.now() - started;
		}
	}

	/** Returns what was counted since the last call. */
	take(): Effort {
		const { clicks, fields, ms } = this;
		[this.clicks, this.fields, this.ms] = [0, 0, 0];
		return { clicks, fields, seconds: Math.round(ms / 1_000) };
	}
}

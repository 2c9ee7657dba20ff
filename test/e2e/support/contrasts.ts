import type { Page } from 'playwright-core';

/** Contrast of every visible text to its ground, by the text, as WCAG 2.2 computes it. */
export async function contrastsOf(page: Page): Promise<Record<string, number>> {
	return await page.evaluate<Record<string, number>>(`(() => {
		const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
		const luminance = (color) => {
			const [r, g, b] = numbers(color).map((value) => {
				const part = value / 255;
				return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
			});
			return 0.2126 * r + 0.7152 * g + 0.0722 * b;
		};
		const groundOf = (element) => {
			const { backgroundColor } = getComputedStyle(element);
			const isClear = numbers(backgroundColor)[3] === 0;
			return isClear && element.parentElement ? groundOf(element.parentElement) : backgroundColor;
		};
		const found = {};
		for (const element of document.querySelectorAll('body *')) {
			const text = [...element.childNodes].find(({ nodeType, data }) => nodeType === 3 && data.trim());
			if (!text || !element.checkVisibility() || element.localName === 'script') continue;
			const [dark, light] = [groundOf(element), getComputedStyle(element).color]
				.map(luminance)
				.sort((a, b) => a - b);
			found[text.data.trim()] = (light + 0.05) / (dark + 0.05);
		}
		return found;
	})()`);
}

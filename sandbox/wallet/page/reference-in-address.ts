/** Code in the address of the page, as `#open=<reference or link>`; empty without one. */
export function referenceInAddress(): string {
	const match = /^#open=(.+)$/.exec(location.hash);
	if (match === null) return '';
	try {
		return decodeURIComponent(match[1] ?? '');
	} catch {
		return match[1] ?? '';
	}
}

/** Escapes text for HTML, also inside quoted attributes. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** JSON that cannot end the script element around it. */
export function escapeJson(value: unknown): string {
	return JSON.stringify(value).replace(
		/[<>&\u2028\u2029]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

const largestDrawing = 100_000;
const drawing =
	/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"(?: (?:width|height)="\d+")* viewBox="0 0 (\d{2,3}) \1" shape-rendering="crispEdges"><path fill="#ffffff" d="M0 0h\1v\1H0z"\/><path stroke="#000000" d="([\dMmh. ]+)"\/><\/svg>$/;

/** QR code that was read from an SVG. */
export interface QrCode {
	/** modules in a row, with the quiet zone */
	readonly modules: number;
	readonly lines: string;
}

/**
 * Reads the QR code from its lines, so that nothing else in the given text reaches the page.
 *
 * @throws TypeError
 */
export function readQrCode(svg: string): QrCode {
	const [, modules, lines] = (svg.length > largestDrawing ? null : drawing.exec(svg)) ?? [];
	if (lines === undefined) throw new TypeError('Expected the SVG of a QR code, found another text');
	return { modules: Number(modules), lines };
}

export function renderQrCode({ modules, lines }: QrCode, label: string): string {
	return `<svg class="code" role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${modules} ${modules}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${modules}v${modules}H0z"/><path stroke="#000" d="${lines}"/></svg>`;
}

const icon = (state: string, lines: string): string =>
	`<svg class="icon ${state}" viewBox="0 0 48 48" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><circle cx="24" cy="24" r="21"/><path d="${lines}"/></svg>`;

/** Signs of all states; the style shows the sign of the present one. */
export const icons = [
	'<span class="spinner"></span>',
	icon('answered', 'M15 25l6.5 6.5L34 18'),
	icon('rejected', 'M17 17l14 14M31 17L17 31'),
	icon('expired', 'M24 13v12l8 5'),
	icon('gone', 'M24 22v11M24 15.5v.01'),
].join('');

/** Letters, digits and signs of data type C of DIN 91379, as hexadecimal code points and ranges. */
const singles =
	'9-A D 20-7E A0-AC AE-17E 187-188 18F 197 1A0-1A1 1AF-1B0 1B7 1CD-1DC 1DE-1DF 1E2-1F0 1F4-1F5 ' +
	'1F8-1FF 212-213 218-21B 21E-21F 227-233 259 268 292 2B9-2BA 2BE-2BF 2C8 2CC 1E02-1E03 1E06-1E07 ' +
	'1E0A-1E11 1E17 1E1C-1E2B 1E2F-1E37 1E3A-1E3B 1E40-1E49 1E52-1E5B 1E5E-1E63 1E6A-1E6F 1E80-1E87 ' +
	'1E8C-1E97 1E9E 1EA0-1EF9 2019 2021 20AC';

/** Base letters, each with the hexadecimal code points that may follow it. */
const sequences: Readonly<Record<string, string>> = {
	Aa: '30B',
	Cc: '300 304 306 308 315 323 326 328+306',
	Dd: '302',
	Ff: '300 304',
	Gg: '300',
	H: '304 326 331',
	h: '304 326',
	J: '301 30C',
	j: '301',
	K: '300 302 304 307 315 31B 326 35F+48 35F+68',
	k: '300 302 304 307 315 31B 326 35F+68',
	Ll: '302 325 325+304 326',
	Mm: '300 302 306 310',
	Nn: '302 304 306 326',
	Pp: '300 304 315 323',
	Rr: '306 325 325+304',
	Ss: '300 304 31B+304 331',
	T: '300 304 308 315 31B',
	t: '300 304 315 31B',
	Uu: '307',
	Zz: '300 304 306 308 327',
	'\u00C7\u00E7': '306',
	'\u00DB\u00FB': '304',
	'\u00FF': '301',
	'\u010C\u010D': '315 323',
	'\u0113': '30D',
	'\u012A\u012B': '301',
	'\u014D': '30D',
	'\u017D\u017E': '326 327',
	'\u1E32\u1E33': '304',
	'\u1E62\u1E63': '304',
	'\u1E6C\u1E6D': '304',
	'\u1EA0\u1EA1': '308',
	'\u1ECC\u1ECD': '308',
	'\u1EE4\u1EE5': '304 308',
};

let allowedUnit: RegExp | undefined;

/**
 * Characters of a text that wallets of version 7 refuse in attribute values, each once
 * (docs/protocol/content.md 13.3.1).
 *
 * @param text composed, see {@link composed}
 */
export function refusedCharacters(text: string): string[] {
	allowedUnit ??= new RegExp(pattern(), 'yu');
	const refused = new Set<string>();
	for (let at = 0; at < text.length;) {
		allowedUnit.lastIndex = at;
		if (allowedUnit.test(text)) {
			at = allowedUnit.lastIndex;
			continue;
		}
		const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
		refused.add(character);
		at += character.length;
	}
	return [...refused];
}

/** Writes letters and their accents as single characters where Unicode has these. */
export function composed(text: string): string {
	return text.normalize('NFC');
}

function pattern(): string {
	const pairs = Object.entries(sequences).map(([bases, tails]) => {
		const choices = tails.split(' ').map((tail) => tail.split('+').map(escaped).join(''));
		// The longer tail first, because the first that fits is taken.
		choices.sort((a, b) => b.length - a.length);
		return `[${bases}](?:${choices.join('|')})`;
	});
	const ranges = singles.split(' ').map((range) => range.split('-').map(escaped).join('-'));
	return `${pairs.join('|')}|[${ranges.join('')}]`;
}

const escaped = (codePoint: string): string => `\\u{${codePoint}}`;

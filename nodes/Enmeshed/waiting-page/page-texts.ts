import { cut } from './page-state';

/** Texts of the waiting page. Workflows may replace each of them. */
export type PageTexts = {
	/** what a screen reader says in place of the QR code */
	readonly qrCode: string;
	readonly scan: string;
	/** before the page is there */
	readonly entering: string;
	/** label of the button that leads to the link */
	readonly open: string;
	readonly waiting: string;
	/** with `{answers}` and `{wanted}`, once one of several people has answered */
	readonly progress: string;
	readonly offline: string;
	/** with `{time}`, for example 4:59 or 3 days */
	readonly validFor: string;
	/** with `{time}`, a date; shown only without scripts */
	readonly validUntil: string;
	/** with `{name}` */
	readonly thanks: string;
	readonly thanksWithoutName: string;
	readonly answered: string;
	readonly redirecting: string;
	/** label of the link for browsers that do not follow a redirect by themselves */
	readonly continue: string;
	readonly rejected: string;
	readonly rejectedDetail: string;
	readonly expired: string;
	readonly expiredDetail: string;
	readonly gone: string;
	readonly goneDetail: string;
};

const en: PageTexts = {
	qrCode: 'QR code to scan with the wallet app',
	scan: 'Scan this code with your wallet app',
	entering: 'One moment',
	open: 'Open in the app',
	waiting: 'Waiting for your answer',
	progress: '{answers} of {wanted} people have answered',
	offline: 'No connection. Trying again',
	validFor: 'Valid for {time}',
	validUntil: 'Valid until {time}',
	thanks: 'Thank you, {name}',
	thanksWithoutName: 'Thank you',
	answered: 'Your answer has arrived. You can close this page.',
	redirecting: 'Your answer has arrived. You will be forwarded in a moment.',
	continue: 'Continue',
	rejected: 'You have declined',
	rejectedDetail: 'Nothing was shared. You can close this page.',
	expired: 'This code has expired',
	expiredDetail: 'Go back and start again to get a new one.',
	gone: 'This page is no longer active',
	goneDetail: 'If you have answered already, there is nothing left to do.',
};

const de: PageTexts = {
	qrCode: 'QR-Code zum Scannen mit der Wallet-App',
	scan: 'Scannen Sie diesen Code mit Ihrer Wallet-App',
	entering: 'Einen Moment',
	open: 'In der App öffnen',
	waiting: 'Wir warten auf Ihre Antwort',
	progress: '{answers} von {wanted} Personen haben geantwortet',
	offline: 'Keine Verbindung. Neuer Versuch läuft',
	validFor: 'Noch {time} gültig',
	validUntil: 'Gültig bis {time}',
	thanks: 'Vielen Dank, {name}',
	thanksWithoutName: 'Vielen Dank',
	answered: 'Ihre Antwort ist angekommen. Sie können diese Seite schließen.',
	redirecting: 'Ihre Antwort ist angekommen. Sie werden gleich weitergeleitet.',
	continue: 'Weiter',
	rejected: 'Sie haben abgelehnt',
	rejectedDetail: 'Es wurde nichts geteilt. Sie können diese Seite schließen.',
	expired: 'Dieser Code ist abgelaufen',
	expiredDetail: 'Gehen Sie zurück und beginnen Sie neu, um einen neuen zu erhalten.',
	gone: 'Diese Seite ist nicht mehr aktiv',
	goneDetail: 'Wenn Sie schon geantwortet haben, ist nichts weiter zu tun.',
};

/** Texts that need no translation by the workflow. */
export const builtInTexts: Readonly<Record<string, PageTexts>> = { de, en };

const longestText = 300;

/**
 * Texts in the language, English where it is not built in. Empty replacements do not count, because
 * forms store fields that were cleared as empty texts.
 */
export function textsFor(language: string, replacements: Partial<PageTexts> = {}): PageTexts {
	const [primary = ''] = language.toLowerCase().split('-');
	const texts = Object.hasOwn(builtInTexts, primary) ? builtInTexts[primary] : en;
	const given = Object.entries(replacements).filter(([, text]) => text.trim() !== '');
	const bounded = given.map(([name, text]): [string, string] => [name, cut(text, longestText)]);
	return { ...en, ...texts, ...Object.fromEntries(bounded) };
}

/**
 * Language that the visitor prefers among the available ones, the first of them by default.
 *
 * @param acceptLanguage header of the visitor's request
 */
export function chooseLanguage(
	acceptLanguage: string | undefined,
	available: readonly [string, ...string[]],
): string {
	const wanted = (acceptLanguage ?? '').slice(0, 1_000).split(',').map(readPreference);
	const preferred = wanted.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
	for (const { tag } of preferred) {
		const exact = available.find((language) => language.toLowerCase() === tag);
		const found = exact ?? available.find((language) => primaryOf(language) === primaryOf(tag));
		if (found !== undefined) return found;
	}
	return available[0];
}

function readPreference(entry: string): { tag: string; weight: number } {
	const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
	const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
	return { tag, weight: weight === undefined ? 1 : Number(weight) };
}

function primaryOf(language: string): string {
	return language.toLowerCase().split('-')[0] ?? '';
}

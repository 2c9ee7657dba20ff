import type { Json, JsonObject } from '../../json';

/* Values that only wallets of version 7 know, checked before they are sent (docs/protocol/content.md 13.3.2). */

/** Country codes of IBANs, each with the length of the whole number. */
const ibanLengths =
	'AD24 AE23 AL28 AO25 AT20 AX18 AZ28 BA20 BE16 BF28 BG22 BH22 BI27 BJ28 BL27 BR29 BY28 CF27 CG27 CH21 ' +
	'CI28 CM27 CR22 CV25 CY28 CZ24 DE22 DJ27 DK18 DO28 DZ26 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GA27 GB22 ' +
	'GE22 GF27 GI23 GL18 GP27 GQ27 GR27 GT28 GW25 HN28 HR21 HU28 IE22 IL23 IQ23 IR26 IS26 IT27 JO30 KM27 ' +
	'KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MA28 MC27 MD24 ME22 MF27 MG27 MK19 ML28 MN20 MQ27 MR27 ' +
	'MT31 MU30 MZ25 NC27 NE28 NI28 NL18 NO15 OM23 PF27 PK24 PL28 PM27 PS29 PT25 QA29 RE27 RO24 RS22 RU33 ' +
	'SA24 SC31 SD18 SE24 SI19 SK24 SM27 SN28 SO23 ST25 SV28 TD27 TF27 TG28 TL23 TN24 TR26 UA29 VA22 VG24 ' +
	'WF27 XK20 YE30 YT27';

const maritalStatuses = [
	...['single', 'married', 'separated', 'divorced', 'widowed'],
	...['civilPartnership', 'civilPartnershipDissolved', 'civilPartnerDeceased'],
];

const maxHolder = 100;

/** Member of a value, and what is wrong with it. */
export interface ValueProblem {
	readonly member: string;
	readonly reason: string;
}

/** Reason for which no wallet takes a value; undefined for other types and for values without one. */
export function problemOfVersion7Value(value: JsonObject): ValueProblem | undefined {
	switch (value['@type']) {
		case 'BankAccount':
			return problemOfBankAccount(value);
		case 'MaritalStatus':
			return maritalStatuses.includes(String(value['value']))
				? undefined
				: { member: 'value', reason: `must be one of: ${maritalStatuses.join(', ')}` };
		default:
			return undefined;
	}
}

function problemOfBankAccount({ accountHolder, iban, bic }: JsonObject): ValueProblem | undefined {
	if (typeof accountHolder !== 'string' || accountHolder.length > maxHolder) {
		return { member: 'accountHolder', reason: `must be a text of at most ${maxHolder} characters` };
	}
	if (!isIban(iban)) {
		return { member: 'iban', reason: 'must be an IBAN in capital letters without spaces' };
	}
	const isBic = typeof bic === 'string' && /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/i.test(bic);
	if (bic === undefined || isBic) return undefined;
	return { member: 'bic', reason: 'must be a BIC of 8 or 11 characters' };
}

/** Checks country, length and the check digits of ISO 7064. */
function isIban(iban: Json | undefined): boolean {
	if (typeof iban !== 'string' || !/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
	if (!ibanLengths.includes(`${iban.slice(0, 2)}${iban.length}`)) return false;
	const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((sign) => parseInt(sign, 36));
	return digits.reduce((rest, digit) => (rest * (digit > 9 ? 100 : 10) + digit) % 97, 0) === 1;
}

import { contentType, type MemberCheck } from './content-type';
import { textField } from './fields';
import { textFormats } from './values/text-formats';

/** Maximum lengths of the members of a consent (docs/protocol/content.md 5.3, 7.6). */
export const consentLimits = {
	consent: { max: 10_000 },
	link: { min: 3, max: 1024 },
	linkDisplayText: { min: 3, max: 30 },
} as const;

/** Members of a consent, both as a relationship attribute value and as a request item. */
export const consentShape = () => ({
	/** text to which a person agrees */
	consent: textField(consentLimits.consent),
	/** address of a page with details */
	link: textField({ ...consentLimits.link, format: textFormats.link }).optional(),
	/** text that is shown for the link */
	linkDisplayText: textField(consentLimits.linkDisplayText).optional(),
});

export const checkConsent: MemberCheck = (value, reportAt) => {
	if (value['linkDisplayText'] === undefined || value['link'] !== undefined) return;
	reportAt('linkDisplayText', 'needs a link beside it');
};

/** @see docs/protocol/content.md 7.6 */
export const consent = contentType('Consent', consentShape, { check: checkConsent });

import type { PasswordProtectionInput } from '../../../core';

interface EnteredProtection {
	readonly forIdentity?: string | undefined;
	readonly password?: string | undefined;
	readonly passwordLocationIndicator?: string | undefined;
}

/** Converts the options of `descriptions/protection` to the gateway's input. */
export function protectionOf(entered: EnteredProtection): {
	forIdentity?: string;
	passwordProtection?: PasswordProtectionInput;
} {
	const { forIdentity, password, passwordLocationIndicator } = entered;
	return {
		...(forIdentity === undefined ? {} : { forIdentity }),
		...(password === undefined
			? {}
			: {
					passwordProtection: {
						password,
						...(/^[0-9]{4,16}$/.test(password) ? { passwordIsPin: true as const } : {}),
						...(passwordLocationIndicator === undefined ? {} : { passwordLocationIndicator }),
					},
				}),
	};
}

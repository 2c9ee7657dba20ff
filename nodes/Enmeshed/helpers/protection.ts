interface EnteredProtection {
	readonly forIdentity?: string | undefined;
	readonly password?: string | undefined;
	readonly passwordLocationIndicator?: string | undefined;
}

/** What the options of `descriptions/protection` say, as the gateway takes it. */
export function protectionOf(entered: EnteredProtection): {
	forIdentity?: string;
	passwordProtection?: object;
} {
	const { forIdentity, password, passwordLocationIndicator } = entered;
	return {
		...(forIdentity === undefined ? {} : { forIdentity }),
		...(password === undefined
			? {}
			: {
					passwordProtection: {
						password,
						...(/^[0-9]{4,16}$/.test(password) ? { passwordIsPin: true } : {}),
						...(passwordLocationIndicator === undefined ? {} : { passwordLocationIndicator }),
					},
				}),
	};
}

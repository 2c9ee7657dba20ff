import { call, type Session, type SignInWays } from './api';
import { Field, FailureText, formOf, Shown, useLoad, useWork, ViewTitle } from './parts';

/** Name under which the place is remembered while the person signs in elsewhere. */
const rememberedPlace = 'place';

/** Goes back to the place where the person was before signing in elsewhere. */
export function restorePlace(): void {
	const place = sessionStorage.getItem(rememberedPlace);
	sessionStorage.removeItem(rememberedPlace);
	if (place?.startsWith('#') === true && location.hash === '') location.replace(place);
}

export function SignIn({ onSession }: { readonly onSession: (session: Session) => void }) {
	const ways = useLoad('sign-in', () => call<SignInWays>('GET', 'sign-in'));
	const work = useWork();
	const submit = (event: Event): void => {
		const key = String(formOf(event).get('key'));
		void work.run(async () => onSession(await call<Session>('POST', 'session', { key })));
	};
	return (
		<main class="narrow">
			<ViewTitle>Sign in</ViewTitle>
			<p>This page is for people who operate the gateway.</p>
			<Shown of={ways}>
				{({ key: byKey, openId }) => (
					<>
						{openId === undefined ? null : (
							<a
								class="button main"
								href="./openid"
								onClick={() => sessionStorage.setItem(rememberedPlace, location.hash)}
							>
								{openId.label}
							</a>
						)}
						{byKey ? (
							<form class="card" onSubmit={submit}>
								<Field label="Key" hint="A key of the gateway that may administer it.">
									<input type="password" autocomplete="current-password" name="key" required />
								</Field>
								<FailureText failure={work.failure} />
								<button class="main" disabled={work.isBusy}>
									Sign in
								</button>
							</form>
						) : null}
						{!byKey && openId === undefined ? (
							<p>This gateway has no way to sign in here. Its settings have to allow one.</p>
						) : null}
					</>
				)}
			</Shown>
		</main>
	);
}

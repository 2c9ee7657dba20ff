import type { OpenedCode, WalletState } from '../shown/state';
import { OpenCode } from './open-code';
import { timeText, ViewTitle } from './parts';

interface HomeProps {
	readonly personId: string;
	readonly name: string;
	readonly state: WalletState;
	readonly reference: string;
	readonly onOpened: (opened: OpenedCode) => void;
	readonly onRequest: (id: string) => void;
	readonly onDone: (text: string) => Promise<void>;
}

/** First view: open a code, and the requests that wait for an answer. */
export function Home({ personId, name, state, reference, onOpened, onRequest, onDone }: HomeProps) {
	return (
		<>
			<ViewTitle>Hello {name}</ViewTitle>
			<OpenCode personId={personId} reference={reference} onOpened={onOpened} onDone={onDone} />
			<section aria-labelledby="requests">
				<h2 id="requests">Requests</h2>
				{state.requests.length === 0 ? (
					<p class="quiet">No request waits for you. Open a code to begin.</p>
				) : (
					<ul class="list">
						{state.requests.map(({ id, from, title, createdAt }) => (
							<li key={id}>
								<button type="button" onClick={() => onRequest(id)}>
									<strong>{title}</strong>
									<span class="quiet">
										{from}, {timeText(createdAt)}
									</span>
								</button>
							</li>
						))}
					</ul>
				)}
			</section>
			<p class="quiet address">
				Address of {name}: {state.person.address}
			</p>
		</>
	);
}

import { useState } from 'preact/hooks';
import type { ConsumerStatusDto } from '../../../model/record/sync';
import type { AccountProps } from './api';
import { Dialog, Facts, Time, type Work } from './parts';
import { linkTo } from './place';
import { countText } from './words';

interface BacklogProps extends Pick<AccountProps, 'account' | 'ask' | 'mayChange'> {
	readonly consumer: ConsumerStatusDto;
	readonly work: Work;
}

type Asked = 'discard' | 'forget';

/** What a receiver has not taken, with the buttons for it. */
export function Backlog({ consumer, account, ask, mayChange, work }: BacklogProps) {
	const { name, isRunning, position, waitingEvents, waitingSince, parkedEvents } = consumer;
	const [asked, setAsked] = useState<Asked>();
	const [, reader] = /^poll:(.*)$/s.exec(name) ?? [];
	const all = { all: true, consumer: name };
	const retry = async (): Promise<string> => {
		const tried = await ask<unknown[]>('POST', 'Account/Problems/Retry', all);
		return `${countText(tried.length, 'event')} will be sent again.`;
	};
	const discard = async (): Promise<string> => {
		const gone = await ask<unknown[]>('POST', 'Account/Problems/Discard', all);
		return `${countText(gone.length, 'event')} discarded.`;
	};
	const forget = async (): Promise<string> => {
		await ask('DELETE', `Events/Consumers/${encodeURIComponent(reader ?? '')}`);
		return 'No events are kept for it any more.';
	};
	return (
		<>
			<Facts
				of={{
					'Has taken up to event': String(position),
					Waiting: countText(waitingEvents, 'event'),
					'Oldest of them': waitingSince === undefined ? undefined : <Time at={waitingSince} />,
					'Not accepted':
						parkedEvents === 0 ? undefined : (
							<a href={linkTo(account, 'problems', 'consumer', name)}>
								{countText(parkedEvents, 'event')}
							</a>
						),
				}}
			/>
			{isRunning || reader !== undefined ? null : (
				<p class="quiet">It does not run in this process at the moment.</p>
			)}
			{mayChange && (parkedEvents > 0 || reader !== undefined) ? (
				<div class="row">
					{parkedEvents === 0 ? null : (
						<>
							<button type="button" disabled={work.isBusy} onClick={() => void work.run(retry)}>
								Try again
							</button>
							<button type="button" onClick={() => setAsked('discard')}>
								Discard …
							</button>
						</>
					)}
					{reader === undefined ? null : (
						<button type="button" onClick={() => setAsked('forget')}>
							Keep no more events …
						</button>
					)}
				</div>
			) : null}
			{asked === undefined ? null : (
				<Dialog
					title={asked === 'discard' ? 'Discard the events?' : 'Keep no more events?'}
					action={asked === 'discard' ? 'Discard' : 'Keep no more'}
					isDangerous
					onAction={async () => void (await work.run(asked === 'discard' ? discard : forget))}
					onClose={() => setAsked(undefined)}
				>
					<p>
						{asked === 'discard'
							? `${countText(parkedEvents, 'event')} will never reach this program.`
							: 'The program misses what happens until it asks again.'}
					</p>
				</Dialog>
			)}
		</>
	);
}

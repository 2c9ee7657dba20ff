import type { IdentityDto } from '../../../model/record/identity';
import type { SyncStatusDto } from '../../../model/record/sync';
import type { AccountProps } from './api';
import { Code, Facts, Shown, Time, useLoad, useWork, ViewTitle, WorkText } from './parts';
import { linkTo } from './place';
import { countText, problemWords } from './words';

/** What the account is doing, and what it needs. */
export function Overview({ account, ask, mayChange }: AccountProps) {
	const status = useLoad(account, () => ask<SyncStatusDto>('GET', 'Account/SyncStatus'));
	const identity = useLoad(account, () => ask<IdentityDto>('GET', 'Account/IdentityInfo'));
	const work = useWork(status.reload);
	const sync = async (): Promise<string> => {
		await ask('POST', 'Account/Sync');
		return 'Everything new was fetched.';
	};
	return (
		<>
			<ViewTitle>Overview</ViewTitle>
			<Shown of={status}>
				{(known) => (
					<>
						<ProblemCounts account={account} counts={known.problemCounts} />
						<State status={known} />
					</>
				)}
			</Shown>
			<WorkText work={work} />
			{mayChange ? (
				<button type="button" disabled={work.isBusy} onClick={() => void work.run(sync)}>
					Fetch news now
				</button>
			) : null}
			<section class="card">
				<h2>Address of this account</h2>
				<Shown of={identity}>{({ address }) => <p>{address}</p>}</Shown>
			</section>
		</>
	);
}

interface ProblemCountsProps {
	readonly account: string;
	readonly counts: SyncStatusDto['problemCounts'];
}

function ProblemCounts({ account, counts }: ProblemCountsProps) {
	const found = Object.entries(problemWords).flatMap(([kind, { title }]) => {
		const count = counts[kind as keyof typeof counts];
		return count === 0 ? [] : [{ kind, title, count }];
	});
	return (
		<section class="card" aria-label="Problems">
			<h2>Problems</h2>
			{found.length === 0 ? <p>There are no problems.</p> : null}
			<ul>
				{found.map(({ kind, title, count }) => (
					<li key={kind}>
						<a href={linkTo(account, 'problems', 'kind', kind)}>
							{title} ({count})
						</a>
					</li>
				))}
			</ul>
		</section>
	);
}

function State({ status }: { readonly status: SyncStatusDto }) {
	const { lastSyncRun, lastFailure, paused, push, pendingEvents, unresolvedSends } = status;
	const waiting = status.consumers.reduce((sum, { waitingEvents }) => sum + waitingEvents, 0);
	return (
		<section class="card" aria-label="State">
			<h2>State</h2>
			{paused === undefined ? null : <p class="failure">{paused.message}</p>}
			{lastFailure === undefined ? null : (
				<p class="failure">
					{lastFailure.message} <Code>{lastFailure.code}</Code>
				</p>
			)}
			<Facts
				of={{
					'Last news from the Backbone':
						lastSyncRun === undefined ? 'never' : <Time at={lastSyncRun.completedAt} />,
					'Immediate news': push.message,
					'News to process': countText(pendingEvents, 'event'),
					'Messages of unknown outcome': String(unresolvedSends),
					'Events that receivers have not taken': countText(waiting, 'event'),
				}}
			/>
		</section>
	);
}

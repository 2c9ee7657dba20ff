import { useState } from 'preact/hooks';
import type {
	DiscardedProblemDto,
	ProblemDto,
	RetriedProblemDto,
} from '../../../model/record/problem';
import type { AccountProps } from './api';
import { Code, Dialog, Shown, Time, useLoad, useWork, ViewTitle, WorkText } from './parts';
import { linkTo } from './place';
import { consumerText, countText, problemWords } from './words';

type Kind = ProblemDto['kind'];
const kinds = Object.entries(problemWords) as Array<[Kind, (typeof problemWords)[Kind]]>;

/** Problems of an account: all, or the problems of one kind or of one receiver of events. */
export function Problems({ account, ask, mayChange, rest }: AccountProps) {
	const [filter, chosen = ''] = rest;
	const query =
		filter === 'kind' || filter === 'consumer'
			? `?${new URLSearchParams({ [filter]: chosen })}`
			: '';
	const problems = useLoad(account + query, () =>
		ask<ProblemDto[]>('GET', `Account/Problems${query}`),
	);
	const work = useWork(problems.reload);
	const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
	const [asked, setAsked] = useState<readonly ProblemDto[]>();

	const retry = async (ids: readonly string[]): Promise<string> => {
		const tried = await ask<RetriedProblemDto[]>('POST', 'Account/Problems/Retry', { ids });
		return retriedText(tried);
	};
	const discard = async (ids: readonly string[]): Promise<string> => {
		const body = { ids };
		const gone = await ask<DiscardedProblemDto[]>('POST', 'Account/Problems/Discard', body);
		return gone.some(({ outcome }) => outcome === 'waiting')
			? 'It is no longer sent. The gateway still looks whether it was sent before.'
			: `${countText(gone.length, 'problem')} discarded.`;
	};
	return (
		<>
			<ViewTitle>Problems</ViewTitle>
			<p class="quiet">Failures that need a person, or another try.</p>
			<nav class="filters" aria-label="Kinds of problems">
				<FilterLink href={linkTo(account, 'problems')} isChosen={query === ''} text="All" />
				{kinds.map(([kind, { name }]) => (
					<FilterLink
						key={kind}
						href={linkTo(account, 'problems', 'kind', kind)}
						isChosen={filter === 'kind' && chosen === kind}
						text={name}
					/>
				))}
			</nav>
			{filter === 'consumer' ? <p>Only events for: {consumerText(chosen)}</p> : null}
			<WorkText work={work} />
			<Shown of={problems}>
				{(all) => {
					const selected = all.filter(({ id }) => selection.has(id));
					const discardable = selected.filter(({ isDiscardable }) => isDiscardable);
					if (all.length === 0) return <p>There are no problems here.</p>;
					return (
						<>
							{mayChange ? (
								<div class="row bar">
									<label class="choice">
										<input
											type="checkbox"
											checked={selected.length === all.length}
											onChange={({ currentTarget: { checked } }) =>
												setSelection(new Set(checked ? all.map(({ id }) => id) : []))
											}
										/>
										Select all {all.length}
									</label>
									<button
										type="button"
										disabled={selected.length === 0 || work.isBusy}
										onClick={() => void work.run(() => retry(selected.map(({ id }) => id)))}
									>
										Try selected again
									</button>
									<button
										type="button"
										disabled={discardable.length === 0 || work.isBusy}
										onClick={() => setAsked(discardable)}
									>
										Discard selected …
									</button>
								</div>
							) : null}
							<ul class="list">
								{all.map((problem) => (
									<ProblemCard
										key={problem.id}
										problem={problem}
										mayChange={mayChange}
										isBusy={work.isBusy}
										isSelected={selection.has(problem.id)}
										onSelect={(isSelected) =>
											setSelection(changed(selection, problem.id, isSelected))
										}
										onRetry={() => void work.run(() => retry([problem.id]))}
										onDiscard={() => setAsked([problem])}
									/>
								))}
							</ul>
						</>
					);
				}}
			</Shown>
			{asked === undefined ? null : (
				<Dialog
					title={asked.length === 1 ? 'Discard this problem?' : `Discard ${asked.length} problems?`}
					action="Discard"
					isDangerous
					onAction={async () => void (await work.run(() => discard(asked.map(({ id }) => id))))}
					onClose={() => setAsked(undefined)}
				>
					{kinds
						.filter(([kind]) => asked.some((problem) => problem.kind === kind))
						.map(([kind, words]) => (
							<p key={kind}>
								<strong>{words.name}:</strong> {words.discard}
							</p>
						))}
					<p>This cannot be undone.</p>
				</Dialog>
			)}
		</>
	);
}

interface FilterLinkProps {
	readonly href: string;
	readonly isChosen: boolean;
	readonly text: string;
}

function FilterLink({ href, isChosen, text }: FilterLinkProps) {
	return (
		<a href={href} aria-current={isChosen ? 'true' : undefined}>
			{text}
		</a>
	);
}

function changed(
	selection: ReadonlySet<string>,
	id: string,
	isSelected: boolean,
): ReadonlySet<string> {
	const next = new Set(selection);
	if (isSelected) next.add(id);
	else next.delete(id);
	return next;
}

function retriedText(tried: readonly RetriedProblemDto[]): string {
	const count = (outcome: string): number => tried.filter((one) => one.outcome === outcome).length;
	const failed = tried.find(({ outcome }) => outcome === 'failed');
	return [
		count('solved') > 0 ? `${countText(count('solved'), 'problem')} solved.` : '',
		count('waiting') > 0
			? `${countText(count('waiting'), 'problem')} will be tried in a moment.`
			: '',
		failed === undefined ? '' : `${count('failed')} failed again: ${failed.message ?? ''}`,
	]
		.filter(Boolean)
		.join(' ');
}

interface ProblemCardProps {
	readonly problem: ProblemDto;
	readonly mayChange: boolean;
	readonly isBusy: boolean;
	readonly isSelected: boolean;
	readonly onSelect: (isSelected: boolean) => void;
	readonly onRetry: () => void;
	readonly onDiscard: () => void;
}

function ProblemCard(props: ProblemCardProps) {
	const { problem, mayChange, isBusy, isSelected, onSelect, onRetry, onDiscard } = props;
	const { kind, subject, since, message, code, consumer, recipients = [], nextTryAt } = problem;
	const { title, advice } = problemWords[kind];
	return (
		<li class="card" aria-label={title}>
			<h2>
				{mayChange ? (
					<input
						type="checkbox"
						aria-label={`Select: ${title}`}
						checked={isSelected}
						onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
					/>
				) : null}
				{title}
			</h2>
			<p>{message}</p>
			<p>{advice}</p>
			{consumer === undefined ? null : <p>For: {consumerText(consumer)}</p>}
			{recipients.length === 0 ? null : <p>To: {recipients.join(', ')}</p>}
			{problem.isErased === true ? (
				<p>The data of the event was erased. It can only be discarded.</p>
			) : null}
			<p class="quiet">
				Since <Time at={since} />.{' '}
				{!problem.isRetriedAutomatically ? (
					'It waits for you.'
				) : nextTryAt === undefined ? (
					'It is tried again by itself.'
				) : (
					<>
						It is tried again by itself, <Time at={nextTryAt} />.
					</>
				)}{' '}
				<Code>{subject}</Code> <Code>{code}</Code>
			</p>
			{mayChange ? (
				<div class="row">
					{problem.isErased === true ? null : (
						<button type="button" class="main" disabled={isBusy} onClick={onRetry}>
							Try again
						</button>
					)}
					{problem.isDiscardable ? (
						<button type="button" disabled={isBusy} onClick={onDiscard}>
							Discard …
						</button>
					) : null}
				</div>
			) : null}
		</li>
	);
}

import { useEffect, useRef, useState } from 'preact/hooks';

import type { ItemAnswer, ShownRequest } from '../shown/request';
import { call, messageOf } from './api';
import { ItemView } from './item-view';
import { BackButton, momentText, Problem, useWork, ViewTitle } from './parts';

interface RequestViewProps {
	readonly personId: string;
	readonly id: string;
	readonly onBack: () => void;
	readonly onDone: (text: string) => Promise<void>;
}

/** Request with all its items, to be accepted or declined. */
export function RequestView({ personId, id, onBack, onDone }: RequestViewProps) {
	const [request, setRequest] = useState<ShownRequest>();
	const [problem, setProblem] = useState<string>();
	useEffect(() => {
		call<ShownRequest>(`/${personId}/requests/${id}`).then(setRequest, (error: unknown) =>
			setProblem(messageOf(error)),
		);
	}, [personId, id]);
	return (
		<>
			<BackButton onClick={onBack} to="Home" />
			<Problem text={problem} />
			{request === undefined ? null : <RequestForm {...{ personId, request, onDone }} />}
		</>
	);
}

interface RequestFormProps {
	readonly personId: string;
	readonly request: ShownRequest;
	readonly onDone: (text: string) => Promise<void>;
}

function RequestForm({ personId, request, onDone }: RequestFormProps) {
	const { id, from, title, description, expiresAt, connects, groups } = request;
	const answers = useRef<Record<string, ItemAnswer>>({});
	const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
	const work = useWork();
	const obstacle = request.obstacle ?? obstacleOf(request);

	const accept = async (): Promise<void> => {
		const body = { answers: answers.current };
		const outcome = await call<{ errors: Record<string, string> }>(
			`/${personId}/requests/${id}/accept`,
			body,
		);
		setErrors(outcome.errors);
		const isDone = Object.keys(outcome.errors).length === 0;
		if (!isDone) throw new Error('Some answers are to be corrected. See the notes beside them.');
		await onDone(
			connects ? `Answered. ${from} has to accept the connection now.` : `${from} has your answer.`,
		);
	};
	const decline = async (): Promise<void> => {
		await call(`/${personId}/requests/${id}/reject`, {});
		await onDone(`You have declined the request of ${from}.`);
	};
	return (
		<form
			class="request"
			onSubmit={(event) => {
				event.preventDefault();
				work.run(accept);
			}}
		>
			<ViewTitle>{title ?? `${from} asks you`}</ViewTitle>
			<p class="quiet">
				{title === undefined ? '' : `From ${from}. `}
				{expiresAt === undefined ? '' : `Answer by ${momentText(expiresAt)}.`}
			</p>
			{description === undefined ? null : <p class="text">{description}</p>}
			{groups.map((group, index) => (
				<section
					class="card"
					key={index}
					{...(group.title === undefined ? {} : { 'aria-label': group.title })}
				>
					{group.title === undefined ? null : <h2>{group.title}</h2>}
					{group.description === undefined ? null : <p class="quiet">{group.description}</p>}
					{group.items.map((item) => (
						<ItemView
							key={item.path}
							item={item}
							error={errors[item.path]}
							onAnswer={(path, answer) => {
								answers.current[path] = answer;
							}}
						/>
					))}
				</section>
			))}
			{obstacle === undefined ? null : <p class="obstacle">{obstacle}</p>}
			<Problem text={work.problem} />
			<div class="row">
				<button class="main" disabled={work.isBusy || obstacle !== undefined}>
					{connects ? 'Share and connect' : 'Accept'}
				</button>
				<button type="button" disabled={work.isBusy} onClick={() => work.run(decline)}>
					Decline
				</button>
			</div>
		</form>
	);
}

/** A required item that cannot be accepted makes the whole request impossible to accept. */
function obstacleOf({ groups }: ShownRequest): string | undefined {
	const items = groups.flatMap((group) => group.items);
	return items.some((item) => item.required && item.obstacle !== undefined)
		? 'A required part cannot be accepted, so you can only decline this request.'
		: undefined;
}

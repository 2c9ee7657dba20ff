import { useState } from 'preact/hooks';
import type {
	CreatedWebhookDto,
	WebhookDto,
	WebhookTestDto,
} from '../../../model/record/http/webhook';
import type { ConsumerStatusDto } from '../../../model/record/sync';
import type { AccountProps } from './api';
import { Backlog } from './backlog';
import {
	Dialog,
	enteredIn,
	Facts,
	Field,
	SecretDialog,
	Shown,
	Time,
	useLoad,
	type Work,
} from './parts';

interface WebhooksProps extends AccountProps {
	readonly consumers: readonly ConsumerStatusDto[];
	readonly work: Work;
}

type Asked = { readonly change: WebhookDto | undefined } | { readonly remove: WebhookDto };

/** Webhooks that were registered over HTTP. */
export function Webhooks({ consumers, work, ...props }: WebhooksProps) {
	const { account, ask, mayChange } = props;
	const webhooks = useLoad(account, () => ask<WebhookDto[]>('GET', 'Webhooks'));
	const [asked, setAsked] = useState<Asked>();
	const [secret, setSecret] = useState<string>();
	const run = async (task: () => Promise<string>): Promise<void> =>
		void (await work.run(() => task().finally(webhooks.reload)));
	const test = async ({ id }: WebhookDto): Promise<string> => {
		const { isAccepted, reason } = await ask<WebhookTestDto>('POST', `Webhooks/${id}/Test`);
		return isAccepted ? 'The program accepted the test.' : `The test failed: ${reason ?? ''}`;
	};
	const remove = async ({ id }: WebhookDto): Promise<string> => {
		await ask('DELETE', `Webhooks/${id}`);
		return 'The webhook is deleted.';
	};
	return (
		<>
			<h2>Webhooks</h2>
			{mayChange ? (
				<button type="button" class="main" onClick={() => setAsked({ change: undefined })}>
					Create a webhook
				</button>
			) : null}
			<Shown of={webhooks}>
				{(all) => (
					<>
						{all.length === 0 ? <p>There are no webhooks.</p> : null}
						<ul class="list">
							{all.map((webhook) => (
								<li class="card" key={webhook.id} aria-label={webhook.url}>
									<h3>{webhook.url}</h3>
									<WebhookFacts webhook={webhook} />
									<Backlog
										{...props}
										work={{
											...work,
											run: (task) => work.run(() => task().finally(webhooks.reload)),
										}}
										consumer={backlogOf(webhook, consumers)}
									/>
									{mayChange ? (
										<div class="row">
											<button
												type="button"
												disabled={work.isBusy}
												onClick={() => void run(() => test(webhook))}
											>
												Send a test
											</button>
											<button type="button" onClick={() => setAsked({ change: webhook })}>
												Change …
											</button>
											<button type="button" onClick={() => setAsked({ remove: webhook })}>
												Delete …
											</button>
										</div>
									) : null}
								</li>
							))}
						</ul>
					</>
				)}
			</Shown>
			{asked === undefined ? null : 'remove' in asked ? (
				<Dialog
					title="Delete this webhook?"
					action="Delete"
					isDangerous
					onAction={() => run(() => remove(asked.remove))}
					onClose={() => setAsked(undefined)}
				>
					<p>{asked.remove.url}</p>
					<p>The program gets no more events, and events that it has not accepted are dropped.</p>
				</Dialog>
			) : (
				<WebhookDialog
					webhook={asked.change}
					ask={ask}
					onDone={async (created) => {
						setSecret(created);
						await webhooks.reload();
					}}
					onClose={() => setAsked(undefined)}
				/>
			)}
			{secret === undefined ? null : (
				<SecretDialog
					title="Secret of the webhook"
					text={secret}
					onClose={() => setSecret(undefined)}
				/>
			)}
		</>
	);
}

function backlogOf(
	{ id, delivery }: WebhookDto,
	consumers: readonly ConsumerStatusDto[],
): ConsumerStatusDto {
	const name = `registered-webhook:${id}`;
	const known = consumers.find((one) => one.name === name);
	const { waiting: waitingEvents, parked: parkedEvents } = delivery;
	return { name, isRunning: true, position: 0, ...known, waitingEvents, parkedEvents };
}

function WebhookFacts({ webhook }: { readonly webhook: WebhookDto }) {
	const { events, version, filter, delivery, warnings = [] } = webhook;
	const { lastSuccessAt, lastFailure } = delivery;
	return (
		<>
			{warnings.map((warning) => (
				<p key={warning} class="failure">
					{warning}
				</p>
			))}
			<Facts
				of={{
					Events: events.join(', '),
					'Only if': filter === undefined ? undefined : JSON.stringify(filter),
					'Version of the events': String(version),
					'Last accepted': lastSuccessAt === undefined ? 'never' : <Time at={lastSuccessAt} />,
					'Last failure':
						lastFailure === undefined ? undefined : (
							<>
								<Time at={lastFailure.at} />: {lastFailure.reason}
							</>
						),
				}}
			/>
		</>
	);
}

interface WebhookDialogProps extends Pick<AccountProps, 'ask'> {
	/** absent for a new webhook */
	readonly webhook: WebhookDto | undefined;
	readonly onDone: (secret: string | undefined) => Promise<void>;
	readonly onClose: () => void;
}

function WebhookDialog({ webhook, ask, onDone, onClose }: WebhookDialogProps) {
	// A text that the element contained from its beginning would be a part of its label.
	const [events, setEvents] = useState(webhook?.events.join('\n') ?? '**');
	const save = async (form: FormData): Promise<void> => {
		const body = {
			url: enteredIn(form, 'url'),
			events: events.split(/\s+/).filter(Boolean),
			version: Number(enteredIn(form, 'version')),
		};
		const { secret } = await (webhook === undefined
			? ask<CreatedWebhookDto>('POST', 'Webhooks', body)
			: ask<CreatedWebhookDto>('PATCH', `Webhooks/${webhook.id}`, body));
		await onDone(secret);
	};
	const isNew = webhook === undefined;
	return (
		<Dialog
			title={isNew ? 'Create a webhook' : 'Change the webhook'}
			action={isNew ? 'Create' : 'Save'}
			onAction={save}
			onClose={onClose}
		>
			<Field label="Address of the program">
				<input
					name="url"
					required
					inputMode="url"
					placeholder="https://"
					defaultValue={webhook?.url ?? ''}
				/>
			</Field>
			<Field
				label="Events"
				hint="One per line. ** stands for all, transport.* for all of one group."
			>
				<textarea
					required
					value={events}
					onInput={({ currentTarget }) => setEvents(currentTarget.value)}
				/>
			</Field>
			<Field label="Version of the events">
				<select name="version">
					<option>6</option>
					<option selected={webhook?.version === 7}>7</option>
				</select>
			</Field>
		</Dialog>
	);
}

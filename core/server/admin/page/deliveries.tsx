import type { SyncStatusDto } from '../../../model/record/sync';
import type { AccountProps } from './api';
import { Backlog } from './backlog';
import { Shown, useLoad, useWork, ViewTitle, WorkText } from './parts';
import { Webhooks } from './webhooks';
import { consumerText } from './words';

/** Programs that get events, and what they have not taken. */
export function Deliveries(props: AccountProps) {
	const { account, ask, mayChange } = props;
	const status = useLoad(account, () => ask<SyncStatusDto>('GET', 'Account/SyncStatus'));
	const work = useWork(status.reload);
	return (
		<>
			<ViewTitle>Deliveries</ViewTitle>
			<p class="quiet">Programs that are told what happens, and what they have not taken yet.</p>
			<WorkText work={work} />
			<Webhooks {...props} consumers={status.data?.consumers ?? []} work={work} />
			<h2>Other receivers</h2>
			<Shown of={status}>
				{({ consumers }) => {
					const others = consumers.filter(({ name }) => !name.startsWith('registered-webhook:'));
					if (others.length === 0) return <p>There are no other receivers.</p>;
					return (
						<ul class="list">
							{others.map((consumer) => (
								<li class="card" key={consumer.name} aria-label={consumerText(consumer.name)}>
									<h3>{consumerText(consumer.name)}</h3>
									<Backlog {...{ consumer, account, ask, mayChange, work }} />
								</li>
							))}
						</ul>
					);
				}}
			</Shown>
		</>
	);
}

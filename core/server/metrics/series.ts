import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** seconds; from a write of the store to a call that meets its time limit */
const buckets = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/**
 * Figures that are read from the accounts for each answer. Their labels are names of the
 * configuration and fixed words, never something that a peer has chosen.
 */
export function accountGauges(register: Registry) {
	const gauge = (name: string, help: string, ...labels: string[]) =>
		new Gauge({ name, help, labelNames: ['account', ...labels], registers: [register] });
	return {
		up: gauge(
			'enmeshed_account_up',
			'1 if the figures of the account could be read from its store, else 0.',
		),
		waiting: gauge(
			'enmeshed_events_waiting',
			'Events that a running webhook, broker or trigger has not settled.',
			'consumer',
		),
		waitingAge: gauge(
			'enmeshed_events_waiting_age_seconds',
			'Age of the oldest of these events; 0 without one.',
			'consumer',
		),
		deliveriesParked: gauge(
			'enmeshed_deliveries_parked',
			'Events that a running webhook, broker or trigger has refused, which wait for a person.',
			'consumer',
		),
		externalPending: gauge(
			'enmeshed_external_events_pending',
			'External events of the Backbone that are not applied yet.',
		),
		externalParked: gauge(
			'enmeshed_external_events_parked',
			'External events that failed too often and wait for a person; at most 100 are counted.',
		),
		sends: gauge(
			'enmeshed_sends_without_outcome',
			'Messages of which it is unknown whether the Backbone has them.',
		),
		problems: gauge('enmeshed_problems', 'Problems that Get Problems lists.', 'kind'),
		pushConnected: gauge(
			'enmeshed_push_connected',
			'1 if push is connected, 0 if not; absent if this process does not want push.',
		),
		lastSync: gauge(
			'enmeshed_sync_last_success_timestamp_seconds',
			'Time of the latest complete sync; absent before the first one.',
		),
		syncPaused: gauge(
			'enmeshed_sync_paused',
			'1 while syncs are paused because the identity is being deleted, else 0.',
		),
	};
}

/**
 * Figures that are counted as it happens. Durations have no label for the account, because each
 * would need a series for every bucket.
 */
export function accountCounters(register: Registry) {
	const counter = (name: string, help: string, ...labels: string[]) =>
		new Counter({ name, help, labelNames: ['account', ...labels], registers: [register] });
	return {
		syncs: counter('enmeshed_syncs_total', 'Syncs of this process by result.', 'result'),
		backboneCalls: counter(
			'enmeshed_backbone_calls_total',
			'Exchanges with the Backbone by kind of object and result; a repeated call has several.',
			'resource',
			'result',
		),
		storeWrites: counter(
			'enmeshed_store_writes_total',
			'Write transactions of the store by result.',
			'result',
		),
		storeWait: counter(
			'enmeshed_store_write_wait_seconds_total',
			'Time for which write transactions have waited for others.',
		),
	};
}

/** Figures of the whole process. */
export function processSeries(register: Registry) {
	const registers = [register];
	const gauge = (name: string, help: string, ...labelNames: string[]) =>
		new Gauge({ name, help, labelNames, registers });
	const histogram = (name: string, help: string, ...labels: string[]) =>
		new Histogram({ name, help, labelNames: labels, buckets, registers });
	return {
		accounts: gauge('enmeshed_accounts', 'Accounts of this process by state.', 'state'),
		build: gauge('enmeshed_build_info', 'Version of the gateway; always 1.', 'version'),
		requests: new Counter({
			name: 'enmeshed_http_requests_total',
			help: 'Answered requests by route and status.',
			labelNames: ['method', 'route', 'status'],
			registers,
		}),
		requestDuration: histogram(
			'enmeshed_http_request_duration_seconds',
			'Time until the answer to a request began.',
			'method',
			'route',
		),
		syncDuration: histogram('enmeshed_sync_duration_seconds', 'Duration of syncs.'),
		backboneDuration: histogram(
			'enmeshed_backbone_call_duration_seconds',
			'Duration of exchanges with the Backbone.',
			'method',
			'resource',
		),
		storeDuration: histogram(
			'enmeshed_store_write_duration_seconds',
			'Duration of write transactions without their wait.',
		),
	};
}

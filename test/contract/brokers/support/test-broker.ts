import type { SupportedBroker } from '../../../../core/publish/brokers/broker-config';

export interface Received {
	/** as the broker names where it was published */
	readonly to: string;
	readonly body: string;
	/** everything else that came with it */
	readonly properties: Readonly<Record<string, unknown>>;
}

export interface Subscriber {
	readonly received: readonly Received[];
	close(): Promise<void>;
}

/** What the contract asks of every kind of broker; programs and data are the test's own. */
export interface TestBroker {
	readonly port: number;
	/** an entry of the settings, at another port or with another password where given */
	settings(change?: { readonly port?: number; readonly password?: string }): SupportedBroker;
	start(): Promise<void>;
	stop(): Promise<void>;
	/** to everything */
	subscribe(): Promise<Subscriber>;
	/** Has the broker refuse one kind of event, or take it again. */
	refuse(event: string, isRefused: boolean): Promise<void>;
	/** Stops it, and removes its data. */
	dispose(): Promise<void>;
}

export interface BrokerKind {
	readonly type: SupportedBroker['type'];
	/** why there are no tests on this machine */
	readonly missing: string | undefined;
	/** name of an event as this kind of broker names it */
	readonly destinationOf: (event: string) => string;
	/** that come with every event */
	readonly properties: Readonly<Record<string, unknown>>;
	create(): Promise<TestBroker>;
}

export const password = 'p@ss/word';

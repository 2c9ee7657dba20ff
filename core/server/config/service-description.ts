import type { ConnectorVersion } from '../connector-version';
import { surfacesOf } from '../surfaces';
import { valueAt, type Settings } from './config-sources';

const group = 'infrastructure.httpServer';

/** Sentence for the log: which versions are served below which prefixes, and why. */
export function describeService(connectorVersion: ConnectorVersion, settings: Settings): string {
	const served = surfacesOf({ debug: false, connectorVersion }).map(
		({ version, prefixes }) => `version ${version} below ${prefixes.join(' and ')}`,
	);
	const isChosen = valueAt(settings, `${group}.connectorVersion`) !== undefined;
	const reason = isChosen
		? `'${group}.connectorVersion' is ${connectorVersion}`
		: `'${group}.authentication' is ${connectorVersion === 7 ? '' : 'not '}set`;
	return `it serves ${served.join(' and ')}, because ${reason}`;
}

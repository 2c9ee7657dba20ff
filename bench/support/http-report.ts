import type { HttpLine } from '../http-figures';
import { alignedTable, shown } from './report';

const heading = ['', 'over HTTP', 'Connector 6.35.1', 'ratio', 'in process', 'HTTP / in process'];

/** Table for the terminal; the figures of the Connector are constants from another day. */
export function httpTable(lines: readonly HttpLine[]): string {
	return alignedTable([heading, ...lines.map(row)]);
}

function row({ name, unit, ours, connector, inProcess }: HttpLine): string[] {
	return [
		name,
		`${shown(ours)} ${unit}`,
		connector === undefined ? '' : `${shown(connector)} ${unit}`,
		connector === undefined ? '' : shown(connector / ours),
		inProcess === undefined ? '' : `${shown(inProcess)} ${unit}`,
		inProcess === undefined ? '' : shown(ours / inProcess),
	];
}

import { parseArgs } from 'node:util';
import { Gateway, type ParkedDeliveryDto } from '../../core';
import { parseServerConfig, pinCertificates, readSettings } from '../../core/server';
import { gatewayConfigOf } from './gateway-settings';

const usage = `Usage: n8n-nodes-enmeshed parked list|send-again|discard [options]

Events that a webhook, a broker or a trigger was given and did not take. 'send-again' has them delivered
once more, by 'serve' while it runs or when it is started next; 'discard' gives them up.

  --consumer <name>     only those of this one, for example webhook:crm
  --event <id>          only this event, for example EVT000000000001; can be given several times
  --all                 needed for 'discard' without the two above
  -c, --config <file>   configuration of serve
`;

interface Selection {
	readonly consumer?: string;
	readonly eventIds?: string[];
}

type Use = (gateway: Gateway, selection: Selection) => Promise<readonly ParkedDeliveryDto[]>;

const uses: Readonly<Record<string, Use>> = {
	list: ({ events }, { consumer, eventIds }) => events.listParked({ consumer, eventIds }),
	'send-again': ({ events }, selection) => events.sendParkedAgain(selection),
	discard: ({ events }, selection) => events.discardParked(selection),
};

/** Behind `npx n8n-nodes-enmeshed parked`. Answers the exit code. */
export async function parked(words: readonly string[]): Promise<number> {
	const { values, positionals } = parseArgs({
		args: [...words],
		options: {
			consumer: { type: 'string' },
			event: { type: 'string', multiple: true },
			all: { type: 'boolean' },
			config: { type: 'string', short: 'c' },
			help: { type: 'boolean' },
		},
		allowPositionals: true,
	});
	if (values.help === true) {
		process.stdout.write(usage);
		return 0;
	}
	const [name = '', ...surplus] = positionals;
	const use = Object.hasOwn(uses, name) ? uses[name] : undefined;
	const selection: Selection = {
		...(values.consumer === undefined ? {} : { consumer: values.consumer }),
		...(values.event === undefined ? {} : { eventIds: values.event }),
	};
	const isUnclear =
		name === 'discard' && values.all !== true && Object.keys(selection).length === 0;
	if (use === undefined || surplus.length > 0 || isUnclear) {
		process.stderr.write(usage);
		return 1;
	}
	const config = parseServerConfig(
		await readSettings({ file: values.config, environment: process.env }),
	);
	pinCertificates(config);
	await using gateway = await Gateway.open(gatewayConfigOf(config));
	const deliveries = await use(gateway, selection);
	for (const delivery of deliveries) process.stdout.write(`${lineOf(delivery)}\n`);
	if (deliveries.length === 0) process.stdout.write('Nothing is parked.\n');
	return 0;
}

function lineOf(delivery: ParkedDeliveryDto): string {
	const { consumer, eventId, event, parkedAt, reason, isSentAgain } = delivery;
	const again = isSentAgain ? '  (to be sent again)' : '';
	return [parkedAt, consumer, eventId, event, reason].join('  ') + again;
}

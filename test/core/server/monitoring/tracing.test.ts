import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
	BasicTracerProvider,
	InMemorySpanExporter,
	SimpleSpanProcessor,
	type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { Metrics } from '../../../../core/server';
import { mailTo, relate, SandboxNetwork } from '../../../support/gateways';
import { HttpGateway } from '../support/http-gateway';

/* The SDK of a host, as NODE_OPTIONS loads it beside `serve`. */
const exporter = new InMemorySpanExporter();
let network: SandboxNetwork;
let http: HttpGateway;
let addressOfPeer: string;
beforeAll(async () => {
	network = await SandboxNetwork.open();
	http = await HttpGateway.open(network, { metrics: new Metrics({ version: '1.2.3' }) });
	({ addressB: addressOfPeer } = await relate(http.gateway, await network.gateway()));
	context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
	propagation.setGlobalPropagator(new W3CTraceContextPropagator());
	const spanProcessors = [new SimpleSpanProcessor(exporter)];
	trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
});
afterAll(async () => {
	trace.disable();
	context.disable();
	propagation.disable();
	await http.close();
	await network.close();
});
beforeEach(() => exporter.reset());

const spans = (): ReadableSpan[] => exporter.getFinishedSpans();
const named = (name: string): ReadableSpan | undefined =>
	spans().find((span) => span.name === name);

const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

describe('the SDK of a host', () => {
	it('sees the way of a request from its route to the call of the Backbone', async () => {
		const { status } = await http.ask('POST /Messages', {
			json: mailTo(addressOfPeer, 'Only for you'),
			headers: {
				traceparent: `00-${caller.traceId}-${caller.spanId}-01`,
				'x-correlation-id': 'asked-1',
			},
		});
		expect(status).toBe(201);
		const request = named('POST /api/v2/Messages');
		const call = named('Backbone POST Messages');
		expect(request?.parentSpanContext).toMatchObject(caller);
		expect(request?.attributes).toMatchObject({
			'http.request.method': 'POST',
			'http.route': '/api/v2/Messages',
			'http.response.status_code': 201,
			'enmeshed.correlation_id': 'asked-1',
		});
		expect(call?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
		expect(call?.attributes).toEqual({
			'enmeshed.account': 'default',
			'enmeshed.resource': 'Messages',
			'enmeshed.result': 'success',
			'http.request.method': 'POST',
		});
	});

	it('sees a sync, its calls, and a failure without its text', async () => {
		network.backbone.faults.add({ path: /\/SyncRuns/, action: { kind: 'status', status: 400 } });
		await http.ask('POST /Account/Sync');
		const sync = named('enmeshed sync');
		const call = named('Backbone POST SyncRuns');
		expect(call?.parentSpanContext?.spanId).toBe(sync?.spanContext().spanId);
		expect(call?.attributes['enmeshed.result']).toBe('refused');
		expect(sync?.status).toEqual({ code: 2 });
	});

	it('sees no id, address or text of anything', async () => {
		await http.ask('POST /Messages', { json: mailTo(addressOfPeer, 'Only for you') });
		await http.ask('GET /Messages/MSGabcdefghijklmnopq?content.subject=secret');
		const seen = JSON.stringify(
			spans().map(({ name, attributes, status, events }) => [name, attributes, status, events]),
		);
		for (const hidden of [addressOfPeer, 'MSGabc', 'Only for you', 'secret']) {
			expect(seen).not.toContain(hidden);
		}
	});
});

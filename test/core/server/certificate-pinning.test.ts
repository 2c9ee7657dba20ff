import { X509Certificate } from 'node:crypto';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pinCertificates } from '../../../core/server/authentication/certificate-pinning';
import { parseServerConfig } from '../../../core/server/config/server-config';
import { createLocalCertificate } from './support/local-certificate';

/* docs/protocol/http-api.md 14.2 */
const localCertificate = createLocalCertificate();
const { fingerprint256 } = new X509Certificate(localCertificate.cert);
const other = 'AB'.repeat(32);
let server: Server;
let end = (): void => undefined;

beforeAll(async () => {
	server = createServer(localCertificate, (_incoming, outgoing) => outgoing.end('hello'));
	await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
});
afterEach(() => end());
afterAll(() => server.close());

function settings(pins: object | undefined, enforceCertificatePinning = false): object {
	return {
		transportLibrary: {
			baseUrl: 'https://localhost',
			platformClientId: 'client',
			platformClientSecret: 'secret',
		},
		infrastructure: { httpServer: { apiKey: 'key' } },
		...(pins === undefined ? {} : { pinnedTLSCertificateSHA256Fingerprints: pins }),
		enforceCertificatePinning,
	};
}

function pin(...given: Parameters<typeof settings>): void {
	end = pinCertificates(parseServerConfig(settings(...given) as never));
}

/** Over a connection of its own: a checked connection is not checked again. */
function call(): Promise<number | undefined> {
	const { port } = server.address() as AddressInfo;
	return new Promise((resolve, reject) => {
		request({ host: 'localhost', port, ca: localCertificate.cert, agent: false }, (answer) => {
			answer.resume();
			resolve(answer.statusCode);
		})
			.once('error', reject)
			.end();
	});
}

describe('a host whose certificate is pinned', () => {
	it.each([
		['with colons', fingerprint256],
		['without', fingerprint256.replaceAll(':', '').toLowerCase()],
		['one of several', [other, fingerprint256]],
	])('is called while it shows that certificate: %s', async (_name, fingerprint) => {
		pin({ LOCALHOST: fingerprint });
		expect(await call()).toBe(200);
	});

	it('is not called when it shows another one', async () => {
		pin({ localhost: other });
		await expect(call()).rejects.toMatchObject({
			code: 'error.gateway.tls.certificateNotPinned',
			facts: { host: 'localhost', fingerprint: fingerprint256.replaceAll(':', '').toLowerCase() },
		});
	});

	it('is called again when pinning is over', async () => {
		pin({ localhost: other });
		end();
		expect(await call()).toBe(200);
	});
});

describe('a host without a pin', () => {
	it('is called', async () => {
		pin({ 'backbone.example': other });
		expect(await call()).toBe(200);
	});

	it('is refused where pins are enforced', async () => {
		end = pinCertificates({
			pinnedTLSCertificateSHA256Fingerprints: { 'backbone.example': [other] },
			enforceCertificatePinning: true,
		});
		await expect(call()).rejects.toMatchObject({ code: 'error.gateway.tls.certificateNotPinned' });
	});
});

describe('the settings of pinning', () => {
	it.each([
		[
			'no fingerprint',
			{ localhost: 'AB:CD' },
			false,
			'pinnedTLSCertificateSHA256Fingerprints.localhost',
		],
		[
			'a port',
			{ 'localhost:443': other },
			false,
			'pinnedTLSCertificateSHA256Fingerprints.localhost:443',
		],
		['nothing for the Backbone', {}, true, 'pinnedTLSCertificateSHA256Fingerprints'],
	])('are refused with %s', (_name, pins, isEnforced, setting) => {
		expect(() => parseServerConfig(settings(pins, isEnforced) as never)).toThrow(setting);
	});
});

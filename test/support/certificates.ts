import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Files in PEM. */
export interface Certified {
	readonly certificate: string;
	readonly key: string;
}

/** A certificate authority of one test: its keys are made when it runs, and go with its folder. */
export function newAuthority(folder: string, name: string): Certified {
	return newCertificate(folder, name, ['-subj', `/CN=${name}`]);
}

/** @param host what the certificate is for, as `IP:127.0.0.1` or `DNS:localhost` */
export function newServerCertificate(
	folder: string,
	name: string,
	{ host, authority }: { readonly host: string; readonly authority: Certified },
): Certified {
	const { certificate, key } = authority;
	return newCertificate(folder, name, [
		...['-subj', `/CN=${name}`, '-CA', certificate, '-CAkey', key],
		...['-addext', `subjectAltName=${host}`, '-addext', 'basicConstraints=critical,CA:FALSE'],
	]);
}

function newCertificate(folder: string, name: string, more: readonly string[]): Certified {
	const [certificate, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
	const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
	const files = ['-keyout', key, '-out', certificate];
	execFileSync('openssl', ['req', '-x509', '-days', '2', ...fresh, ...files, ...more], {
		stdio: 'pipe',
	});
	return { certificate, key };
}

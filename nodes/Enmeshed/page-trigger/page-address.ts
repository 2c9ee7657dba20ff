import type { IWebhookFunctions } from 'n8n-workflow';

/** Part of n8n's functions that knows its addresses; absent on other hosts. */
interface Addresses {
	readonly additionalData?: {
		readonly webhookBaseUrl?: string;
		readonly webhookTestBaseUrl?: string;
	};
}

/**
 * Address of the page with parameters. In a manual test it is the test URL, which n8n does not give
 * by itself.
 */
export function pageAddress(functions: IWebhookFunctions, query: Record<string, string>): string {
	const published = functions.getNodeWebhookUrl('default') ?? '';
	const { additionalData }: IWebhookFunctions & Addresses = functions;
	const { webhookBaseUrl: base, webhookTestBaseUrl: testBase } = additionalData ?? {};
	const isTest = functions.getMode() === 'manual' && base !== undefined && testBase !== undefined;
	const address = new URL(
		isTest && published.startsWith(`${base}/`)
			? `${testBase}${published.slice(base.length)}`
			: published,
	);
	for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
	return address.toString();
}

import { encodeBase64Url } from '../../../../core/base/encoding';
import { writeCipherField } from '../../../../core/crypto/json-forms';
import { json, messageBody, type Responder } from '../../backbone/fixture-server';
import { address, ComparisonBench, otherAddress } from '../../sync/reconciliation/comparison-bench';

const bodyOf = (index: number): string =>
	encodeBase64Url(new TextEncoder().encode(`sealed body ${index}`));

/** The messages of an account at a Backbone, whose list is read page by page. */
export class MessagePages {
	/** oldest first; an item without a body cannot be read */
	all: object[] = [];

	private constructor(readonly bench: ComparisonBench) {}

	static async open(): Promise<MessagePages> {
		const page: Responder = (request, response) => {
			if (pages.answer !== undefined) return pages.answer(request, response);
			const [pageNumber, pageSize] = ['pageNumber', 'pageSize'].map((name) =>
				Number(request.query.get(name)),
			) as [number, number];
			const result = pages.all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
			const totalRecords = pages.total ?? pages.all.length;
			const totalPages = Math.ceil(totalRecords / pageSize);
			json(200, { result, pagination: { pageNumber, pageSize, totalPages, totalRecords } })(
				request,
				response,
			);
		};
		const bench = await ComparisonBench.open({ 'GET /api/v2/Messages': page });
		const pages: MessagePages = new MessagePages(bench);
		return pages;
	}

	/** answer to each request, instead of a page */
	answer: Responder | undefined;

	/** a total that the Backbone names instead of its own */
	total: number | undefined;

	/** A message of this account, sent `agoMs` before now, or of a peer. */
	message(index: number, { agoMs = 0, counter = 7, isOwn = true } = {}): object {
		const encryptedKey = writeCipherField({ alg: 3, cph: 'A'.repeat(60), cnt: counter });
		return {
			...messageBody(`MSG${index}`),
			createdBy: isOwn ? address : otherAddress,
			createdAt: new Date(this.bench.clock.now() - agoMs).toISOString(),
			body: bodyOf(index),
			recipients: [{ address: otherAddress, encryptedKey, receivedAt: null }],
		};
	}

	/** Requested pages, as page number and size. */
	get requested(): string[] {
		return this.bench.server
			.calls('/api/v2/Messages')
			.map(({ query }) => `${query.get('pageNumber')}/${query.get('pageSize')}`);
	}
}

export { bodyOf };

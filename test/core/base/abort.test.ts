import { waitOrAbort } from '../../../core/base/abort';

const reason = new Error('given up');
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('waiting for work or an abort', () => {
	it('settles with the work while nothing aborts', async () => {
		const { signal } = new AbortController();
		await expect(waitOrAbort(Promise.resolve('done'), { signal })).resolves.toBe('done');
		await expect(waitOrAbort(Promise.resolve('done'), {})).resolves.toBe('done');
		await expect(waitOrAbort(Promise.reject(reason), { signal })).rejects.toBe(reason);
	});

	it('rejects with the reason of the signal, and leaves the work alone', async () => {
		const abort = new AbortController();
		const work = Promise.withResolvers<string>();
		const waited = waitOrAbort(work.promise, { signal: abort.signal });
		abort.abort(reason);
		await expect(waited).rejects.toBe(reason);
		work.resolve('done');
		await expect(work.promise).resolves.toBe('done');
	});

	it.each(['before', 'while'])(
		'handles a failure of the work for an abort %s waiting',
		async (when) => {
			const unhandled = jest.fn();
			process.on('unhandledRejection', unhandled);
			try {
				const abort = new AbortController();
				const work = Promise.withResolvers<string>();
				if (when === 'before') abort.abort(reason);
				const waited = waitOrAbort(work.promise, { signal: abort.signal });
				abort.abort(reason);
				await expect(waited).rejects.toBe(reason);
				work.reject(new Error('nothing came of it'));
				await turn();
				await turn();
				expect(unhandled).not.toHaveBeenCalled();
			} finally {
				process.off('unhandledRejection', unhandled);
			}
		},
	);
});

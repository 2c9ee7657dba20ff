import type { ServerResponse } from 'node:http';

import type { DownloadedFile } from '../../../core';

/** Sends a file to be saved; a browser never shows what a peer has sent inside the wallet. */
export function sendFile(response: ServerResponse, { content, filename }: DownloadedFile): void {
	const plain = filename.replace(/[^\w.-]/g, '_');
	const encoded = encodeURIComponent(filename).replace(/['()*]/g, '_');
	response.writeHead(200, {
		'content-type': 'application/octet-stream',
		'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
	});
	response.end(content);
}

import jsQR from 'jsqr';

/** Longest side of the picture in which the code is looked for; photos are larger. */
const sides = [1_200, 600, 2_400];
/** White frame, which codes cut out of a page lack. */
const margin = 24;

/** Text of the QR code in a picture; undefined if there is none. */
export async function readQrCode(file: Blob): Promise<string | undefined> {
	const picture = await loadPicture(file);
	for (const side of sides) {
		const { data, width, height } = pixelsOf(picture, side);
		const found = jsQR(data, width, height);
		if (found !== null && found.data !== '') return found.data;
	}
	return undefined;
}

async function loadPicture(file: Blob): Promise<HTMLImageElement> {
	const url = URL.createObjectURL(file);
	try {
		const picture = new Image();
		picture.src = url;
		await picture.decode();
		return picture;
	} finally {
		URL.revokeObjectURL(url);
	}
}

function pixelsOf(picture: HTMLImageElement, side: number): ImageData {
	const scale = Math.min(4, side / Math.max(picture.naturalWidth, picture.naturalHeight));
	const width = Math.max(1, Math.round(picture.naturalWidth * scale));
	const height = Math.max(1, Math.round(picture.naturalHeight * scale));
	const canvas = document.createElement('canvas');
	canvas.width = width + 2 * margin;
	canvas.height = height + 2 * margin;
	const context = canvas.getContext('2d');
	if (context === null) throw new Error('This browser cannot read pictures.');
	context.fillStyle = '#fff';
	context.fillRect(0, 0, canvas.width, canvas.height);
	context.drawImage(picture, margin, margin, width, height);
	return context.getImageData(0, 0, canvas.width, canvas.height);
}

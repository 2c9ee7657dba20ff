import type { ChosenFile } from '../shown/inputs';

/** Reads a file that the person has chosen. */
export async function chosenFile(file: File): Promise<ChosenFile> {
	return await new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.onerror = () => reject(new Error(`The file '${file.name}' cannot be read.`));
		reader.onload = () => {
			const url = String(reader.result);
			const content = url.slice(url.indexOf(',') + 1);
			resolve({ name: file.name, type: file.type, content });
		};
		reader.readAsDataURL(file);
	});
}

export function sizeText(bytes: number): string {
	if (bytes < 1_000) return `${bytes} bytes`;
	return bytes < 1_000_000
		? `${Math.round(bytes / 1_000)} KB`
		: `${(bytes / 1_000_000).toFixed(1)} MB`;
}

import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json';
import type { JsonObject } from '../model/json';

/** Recognises attributes of equal value without comparing all of them (consumption 8.1). */
export function attributeValueHash(content: JsonObject): string {
	return createHash('sha256')
		.update(canonicalJson(content['value'] ?? null))
		.digest('base64url');
}

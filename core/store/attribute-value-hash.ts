import { hash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json';
import type { JsonObject } from '../model/json';

/** Recognises attributes of equal value without comparing all of them (consumption 8.1). */
export function attributeValueHash(content: JsonObject): string {
	return hash('sha256', canonicalJson(content['value'] ?? null), 'base64url');
}

import * as z from 'zod';
import type { Cancellable } from '../../base/abort';
import type { Backbone } from '../../backbone/backbone';
import type { WireAnnouncement } from '../../backbone/dto';
import { languageSchema } from '../../model/language';
import type { AnnouncementDto } from '../../model/record/announcement';
import { parseInput } from '../validation';
import { announcementErrors } from './announcement-errors';

const inputSchema = z.strictObject({ language: languageSchema });

/** What the operator of the Backbone announces (docs/protocol/transport.md 12). */
export class AnnouncementService {
	constructor(private readonly backbone: Backbone) {}

	/**
	 * Asked of the Backbone each time, in this language or else in English.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async list(input: unknown, options: Cancellable = {}): Promise<AnnouncementDto[]> {
		const { language } = parseInput(inputSchema, input, (message, field) =>
			announcementErrors.create('invalidInput', { message, facts: { field } }),
		);
		return (await this.backbone.announcements.list(language, options)).map(toAnnouncementDto);
	}
}

/** `iqlQuery` is for the app that shows the announcement, which a gateway is not. */
function toAnnouncementDto(wire: WireAnnouncement): AnnouncementDto {
	const { id, createdAt, expiresAt, severity, title, body, actions } = wire;
	return {
		id,
		createdAt,
		...(expiresAt == null ? {} : { expiresAt }),
		severity,
		title,
		body,
		actions: actions.map(({ displayName, link }) => ({ displayName, link })),
	};
}

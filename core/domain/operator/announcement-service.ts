import type { Cancellable } from '../../base/abort';
import type { Backbone } from '../../backbone/port/backbone';
import type { WireAnnouncement } from '../../backbone/dto';
import { announcementListInputSchema } from '../../model/input/operator';
import type { AnnouncementDto } from '../../model/record/announcement';
import type { AnnouncementUseCases } from '../../facade/operator';
import { parseInput } from '../validation';
import { announcementErrors } from './announcement-errors';

/** Announcements of the Backbone's operator (docs/protocol/transport.md 12). */
export class AnnouncementService implements AnnouncementUseCases {
	constructor(private readonly backbone: Backbone) {}

	/**
	 * Reads the announcements from the Backbone on each call, in this language or else in English.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async list(input: unknown, options: Cancellable = {}): Promise<AnnouncementDto[]> {
		const { language } = parseInput(announcementListInputSchema, input, (message, field) =>
			announcementErrors.create('invalidInput', { message, facts: { field } }),
		);
		return (await this.backbone.announcements.list(language, options)).map(toAnnouncementDto);
	}
}

/** Omits `iqlQuery`, which is meant for the app that displays the announcement. */
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

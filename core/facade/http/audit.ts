import type { Cancellable } from '../../base/abort';
import type { AuditQueryInput, AuditVerificationInput } from '../../model/input/audit';
import type {
	AuditHeadDto,
	AuditPageDto,
	AuditVerificationDto,
	NewAuditEntry,
} from '../../model/record/http/audit';

/** Who did what over HTTP, in rows that are chained by a keyed hash. */
export interface AuditUseCases {
	/**
	 * Appends a row; returns its number.
	 *
	 * @throws `error.gateway.audit.broken` if the audit has lost rows that this process has written
	 */
	record(entry: NewAuditEntry, options?: Cancellable): Promise<number>;
	/**
	 * Reads a page: `after`, `limit`, `actor`, `route`, `object`, `from`, `to`. A page looks at 5,000 rows at
	 * most, so that it can have fewer entries than its limit, although there are more.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.gateway.audit.broken` at a row
	 * that cannot be read
	 */
	page(query?: AuditQueryInput, options?: Cancellable): Promise<AuditPageDto>;
	/** Number and hash of the newest row; undefined before the first one. */
	head(options?: Cancellable): Promise<AuditHeadDto | undefined>;
	/**
	 * Looks for changed, removed and reordered rows, and compares with an earlier `head`.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	verify(input?: AuditVerificationInput, options?: Cancellable): Promise<AuditVerificationDto>;
	/**
	 * Removes the oldest rows, at most 500, if they were written before a time. They are verified
	 * first, so that no trace of a change is removed.
	 *
	 * @param olderThan ISO time
	 * @returns the number of removed rows
	 * @throws `error.gateway.audit.broken`
	 */
	prune(olderThan: string, options?: Cancellable): Promise<number>;
}

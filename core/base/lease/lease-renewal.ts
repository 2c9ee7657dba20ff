export interface LeaseRenewalOptions {
	readonly leaseMs: number;
	/** Prolongs the lease; resolves to whether this process still holds it. */
	readonly renew: () => Promise<boolean>;
	/** called when another process has taken over the lease */
	readonly onLost?: () => void;
	/** called when the store did not answer; the next renewal may still be in time */
	readonly onFailure: (error: unknown) => void;
}

/**
 * Prolongs a lease three times within its duration, without keeping the process alive.
 *
 * @returns a function that stops the renewal
 */
export function startLeaseRenewal(options: LeaseRenewalOptions): () => void {
	const { leaseMs, renew, onLost, onFailure } = options;
	const renewOnce = async (): Promise<void> => {
		if (!(await renew())) onLost?.();
	};
	const timer = setInterval(() => void renewOnce().catch(onFailure), leaseMs / 3);
	timer.unref();
	return () => clearInterval(timer);
}

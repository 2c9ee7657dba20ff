import type { INode, ITriggerFunctions } from 'n8n-workflow';
import type { GatewayProblem } from '../../../core';
import { describeError, type NodeError } from '../helpers/to-node-error';

type ReporterHost = Pick<ITriggerFunctions, 'logger' | 'saveFailedExecution'> & {
	getNode(): INode;
};

/**
 * Tells people about problems that only they can solve, once per change: as a failed execution, which
 * also runs the error workflow and leaves the trigger alone, and in the log. Older hosts only log.
 */
export class ProblemReporter {
	private current: string | undefined;

	constructor(private readonly host: ReporterHost) {}

	/** Called with every state of the gateway; speaks up only when it differs from the one before. */
	report(problem: GatewayProblem | undefined): void {
		if (problem === undefined) this.solved();
		else if (problem.isState === true) this.state(problem);
		else this.reportAs(problem.code, this.toError(problem));
	}

	reportAs(code: string, error: NodeError): void {
		if (code === this.current) return;
		this.current = code;
		this.save(error);
	}

	/** Nothing failed, so no execution does: the log says it, and when it is over. */
	private state({ code, message, remedy }: GatewayProblem): void {
		if (code === this.current) return;
		this.current = code;
		const { host } = this;
		host.logger.warn(`[${host.getNode().name}] ${message} (${remedy ?? ''})`);
	}

	/** Something that happened once and has no end. */
	reportOnce(problem: GatewayProblem): void {
		this.save(this.toError(problem));
	}

	save(error: NodeError): void {
		const { host } = this;
		host.logger.warn(`[${host.getNode().name}] ${error.message} (${error.description ?? ''})`);
		if (typeof host.saveFailedExecution === 'function') host.saveFailedExecution(error);
	}

	solved(): void {
		if (this.current === undefined) return;
		this.current = undefined;
		this.host.logger.info(`[${this.host.getNode().name}] The problem is solved`);
	}

	private toError(problem: GatewayProblem): NodeError {
		return describeError(this.host.getNode(), problem);
	}
}

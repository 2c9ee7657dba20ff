import type { INode, ITriggerFunctions } from 'n8n-workflow';
import type { GatewayProblem } from '../../../core';
import { describeError, type NodeError } from '../errors/to-node-error';

type ReporterHost = Pick<ITriggerFunctions, 'logger' | 'saveFailedExecution'> & {
	getNode(): INode;
};

/**
 * Reports problems that only a person can solve, once per change, in the log and as a failed
 * execution. That execution also runs the error workflow and does not stop the trigger. Older hosts
 * only log.
 */
export class ProblemReporter {
	private current: string | undefined;

	constructor(private readonly host: ReporterHost) {}

	/** Called with every state of the gateway; reports only changes. */
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

	/** Logs a state that is not a failure, without a failed execution, and later its end. */
	private state({ code, message, remedy }: GatewayProblem): void {
		if (code === this.current) return;
		this.current = code;
		const { host } = this;
		host.logger.warn(`[${host.getNode().name}] ${message} (${remedy ?? ''})`);
	}

	/** Reports a single event that has no end. */
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

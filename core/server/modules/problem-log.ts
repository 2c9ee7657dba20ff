import type { Logger } from '../../base/logger';
import type { ProblemListener } from '../../facade/gateway-facade';

/** Logs each problem that a person must solve once, and once more when it is solved. */
export function problemLog(logger: Logger): ProblemListener {
	return (problem) => {
		if (problem === undefined) logger.info('a problem was solved');
		else if (problem.isState === true) logger.warn(problem.message, { remedy: problem.remedy });
		else logger.error(problem.message, { code: problem.code, remedy: problem.remedy });
	};
}

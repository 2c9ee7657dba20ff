import type { Logger } from '../../base/logger';
import type { ProblemListener } from '../../facade';

/** One line for what a person must solve, and one when it is over. */
export function problemLog(logger: Logger): ProblemListener {
	return (problem) => {
		if (problem === undefined) logger.info('a problem is over');
		else if (problem.isState === true) logger.warn(problem.message, { remedy: problem.remedy });
		else logger.error(problem.message, { code: problem.code, remedy: problem.remedy });
	};
}

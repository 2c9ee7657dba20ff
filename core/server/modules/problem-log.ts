import type { Logger } from '../../base/logger';
import { inSettings } from '../setting-words';
import type { ProblemListener } from '../../facade/gateway-facade';

/** Logs each problem that a person must solve once, and once more when it is solved. */
export function problemLog(logger: Logger): ProblemListener {
	return (problem) => {
		if (problem === undefined) return logger.info('a problem was solved');
		const remedy = problem.remedy === undefined ? undefined : inSettings(problem.remedy);
		if (problem.isState === true) logger.warn(problem.message, { remedy });
		else logger.error(problem.message, { code: problem.code, remedy });
	};
}

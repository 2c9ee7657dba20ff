import type { FileDependencies } from '../../core/domain/file/file-dependencies';
import { FileOwnership } from '../../core/domain/file/file-ownership';
import { FileService } from '../../core/domain/file/file-service';
import type { FileAccess } from '../../core/domain/request/items/file-facts';

/** What items about files work with. */
export function fileAccessOf(context: FileDependencies): FileAccess {
	const { store, backbone } = context;
	const files = new FileService(context);
	return { store, backbone, files, ownership: new FileOwnership(context, files) };
}

#!/bin/sh
# Puts the package of the image into n8n's folder of community packages, then runs the given command.
set -eu

package=$(dirname "$0")/package
folder=${N8N_USER_FOLDER:-$HOME}/.n8n/nodes/node_modules
target=$folder/n8n-nodes-enmeshed

is_current() {
	diff -r "$package" "$target" >/dev/null 2>&1
}

# Another container with the same volume may do the same at the same time: each renames complete
# folders only, and repeats this until the package is in place.
if ! is_current; then
	mkdir -p "$folder"
	# n8n loads no folder whose name begins with a dot.
	draft=$(mktemp -d "$folder/.n8n-nodes-enmeshed.XXXXXX")
	trap 'rm -rf "$draft"' EXIT
	trap 'exit 143' INT TERM
	attempt=0
	until is_current; do
		attempt=$((attempt + 1))
		if [ "$attempt" -gt 10 ]; then
			echo "The package n8n-nodes-enmeshed cannot be put into $target." >&2
			exit 1
		fi
		# Another container may have spoiled the comparison: one of them has to come to its end.
		if [ "$attempt" -gt 1 ]; then
			random=$(od -An -N1 -tu1 /dev/urandom 2>/dev/null || echo "$$")
			sleep "$(($random % (attempt + 1)))"
			if is_current; then break; fi
		fi
		if [ ! -d "$draft/new" ]; then cp -R "$package" "$draft/new"; fi
		mv -T "$target" "$draft/old.$attempt" 2>/dev/null || true
		mv -T "$draft/new" "$target" 2>/dev/null || true
	done
	rm -rf "$draft"
	trap - EXIT INT TERM
fi

exec "$@"

#!/bin/sh
# Installs the command `gdvar` on Linux or macOS: its binary, manual pages and completions.
# Needs sh, tar, a program that computes SHA-256, and curl or wget unless the files are in a local folder.
set -eu

version=${GDVAR_VERSION:-@VERSION@}
from=@REPOSITORY@/releases/download/v$version
prefix=$HOME/.local

usage() {
	cat <<END
usage: install.sh [--from FOLDER_OR_URL] [--prefix FOLDER]

Installs gdvar $version for this user.

  --from    where the archives and SHA256SUMS are (default $from)
  --prefix  gets bin/gdvar and share/ (default $prefix)

To remove it: delete bin/gdvar, share/man/man1/gdvar*, and gdvar in the folders of completions.
END
}
fail() {
	echo "install.sh: $1" >&2
	exit 1
}
while [ $# -gt 0 ]; do
	case $1 in
	--from) from=${2:?--from needs a folder or an address} && shift ;;
	--prefix) prefix=${2:?--prefix needs a folder} && shift ;;
	-h | --help) usage && exit ;;
	*) usage >&2 && exit 2 ;;
	esac
	shift
done

case $(uname -m) in
x86_64 | amd64) machine=x86_64 ;;
aarch64 | arm64) machine=aarch64 ;;
*) fail "there is no binary for $(uname -m); with Rust: cargo install gdvar-cli" ;;
esac
case $(uname -s) in
Linux) target=$machine-unknown-linux-musl ;;
Darwin) target=$machine-apple-darwin ;;
*) fail "there is no binary for $(uname -s) here; on Windows use install.ps1" ;;
esac
name=gdvar-$version-$target

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# get FILE: copies or downloads it.
get() {
	case $from in
	*://*)
		if command -v curl >/dev/null; then
			curl --fail --silent --show-error --location "$from/$1" --output "$work/$1"
		elif command -v wget >/dev/null; then
			wget -q "$from/$1" -O "$work/$1"
		else
			fail 'neither curl nor wget is installed'
		fi
		;;
	*) cp "$from/$1" "$work/$1" ;;
	esac || fail "$from/$1 cannot be read"
}
get SHA256SUMS
grep " $name.tar.gz\$" "$work/SHA256SUMS" >"$work/sum" || fail "SHA256SUMS of $from does not name $name.tar.gz"
get "$name.tar.gz"
if command -v sha256sum >/dev/null; then
	sum='sha256sum -c'
else
	sum='shasum -a 256 -c'
fi
(cd "$work" && $sum sum >/dev/null 2>&1) || fail "$name.tar.gz has another checksum than SHA256SUMS says; nothing was installed"

tar -xzf "$work/$name.tar.gz" -C "$work"
mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
	"$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
# By another name first: a gdvar that runs keeps its file.
cp "$work/$name/gdvar" "$prefix/bin/.gdvar.new"
mv "$prefix/bin/.gdvar.new" "$prefix/bin/gdvar"
cp "$work/$name"/man/*.1 "$prefix/share/man/man1"
cp "$work/$name/completions/gdvar.bash" "$prefix/share/bash-completion/completions/gdvar"
cp "$work/$name/completions/_gdvar" "$prefix/share/zsh/site-functions/_gdvar"
cp "$work/$name/completions/gdvar.fish" "$prefix/share/fish/vendor_completions.d/gdvar.fish"

"$prefix/bin/gdvar" --version
case :$PATH: in
*:"$prefix/bin":*) ;;
*) echo "$prefix/bin is not in PATH. Add it: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac

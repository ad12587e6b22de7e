# The command alone, in an image of its size. The context is an unpacked archive of dist/:
#   mkdir image && tar -xzf dist/gdvar-*-x86_64-unknown-linux-musl.tar.gz -C image --strip-components 1
#   docker build -t gdvar -f Dockerfile image
#   docker run --rm -v "$PWD:/work" gdvar check save.sav
FROM scratch
COPY gdvar LICENSE-MIT LICENSE-APACHE THIRD-PARTY-LICENSES /
WORKDIR /work
ENTRYPOINT ["/gdvar"]

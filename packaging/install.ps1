# Installs the command gdvar on Windows for this user, and puts its folder into the user's PATH.
#
#   .\install.ps1 [-From FOLDER_OR_URL] [-To FOLDER]
param(
	[string]$From = '@REPOSITORY@/releases/download/v@VERSION@',
	[string]$To = (Join-Path $env:LOCALAPPDATA 'Programs\gdvar')
)
$ErrorActionPreference = 'Stop'
$name = 'gdvar-@VERSION@-x86_64-pc-windows-gnu'
$work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory $work | Out-Null

function Get-Part([string]$file) {
	$to = Join-Path $work $file
	if ($From -match '^https?://') {
		Invoke-WebRequest -UseBasicParsing "$From/$file" -OutFile $to
	} else {
		Copy-Item (Join-Path $From $file) $to
	}
}

try {
	Get-Part 'SHA256SUMS'
	Get-Part "$name.zip"
	$line = Get-Content (Join-Path $work 'SHA256SUMS') | Where-Object { $_.EndsWith(" $name.zip") }
	if (-not $line) { throw "SHA256SUMS of $From does not name $name.zip" }
	$sum = (Get-FileHash -Algorithm SHA256 (Join-Path $work "$name.zip")).Hash
	if ($sum -ne $line.Split(' ')[0]) { throw "$name.zip has another checksum than SHA256SUMS says; nothing was installed" }
	Expand-Archive (Join-Path $work "$name.zip") $work
	New-Item -ItemType Directory -Force $To | Out-Null
	Copy-Item (Join-Path $work "$name\*") $To -Recurse -Force
	$path = [Environment]::GetEnvironmentVariable('Path', 'User')
	if (($path -split ';') -notcontains $To) {
		[Environment]::SetEnvironmentVariable('Path', (@($path, $To) -ne '') -join ';', 'User')
		Write-Output "$To is in PATH from the next terminal on."
	}
	& (Join-Path $To 'gdvar.exe') --version
} finally {
	Remove-Item -Recurse -Force $work
}
